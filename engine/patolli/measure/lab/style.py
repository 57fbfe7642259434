"""How the page of a report looks: light and dark, from a telephone to a wide screen."""

STYLE = """
:root{--ink:#1b1b1b;--paper:#fff;--card:#f4f3ef;--faint:#8a867c;--soft:#55524b;--link:#0b4f9e;
--line0:#0b4f9e;--line1:#a33c00;--line2:#1d6b2f;--line3:#7a1f7a;--line4:#5c5200;--line5:#333}
@media(prefers-color-scheme:dark){:root{--ink:#ececec;--paper:#16171a;--card:#212328;--faint:#7d8087;--soft:#b4b6bc;
--link:#8ec1ff;--line0:#8ec1ff;--line1:#ffb27a;--line2:#8fdc9f;--line3:#e6a3e6;--line4:#e0d27a;--line5:#ddd}}
*{box-sizing:border-box}
body{margin:0;color:var(--ink);background:var(--paper);font:16px/1.5 system-ui,sans-serif}
main{max-width:76rem;margin:0 auto;padding:0 1rem 4rem}
nav{border-bottom:1px solid var(--faint);background:var(--paper);position:sticky;top:0}
nav ul{display:flex;flex-wrap:wrap;gap:.1rem 1rem;max-width:76rem;margin:0 auto;padding:.4rem 1rem;list-style:none}
nav a{display:inline-block;padding:.2rem 0}
@media(max-width:600px){nav{position:static}}
section,tr{scroll-margin-top:3.5rem}
a{color:var(--link)}h1{font-size:1.6rem;line-height:1.25;margin:1.2rem 0 .6rem}
h2{margin:2.2rem 0 .4rem;font-size:1.3rem}
h3{margin:1.4rem 0 .4rem;font-size:1.05rem}p{margin:.3rem 0;max-width:48rem}
code{font-size:.86em;overflow-wrap:anywhere}
.about{display:grid;grid-template-columns:max-content 1fr;gap:.1rem 1rem;margin:.5rem 0}.about dt{color:var(--soft)}
.about dd{margin:0;overflow-wrap:anywhere}
.cards{list-style:none;padding:0;margin:.5rem 0;display:grid;gap:.7rem;
grid-template-columns:repeat(auto-fill,minmax(min(17rem,100%),1fr))}
.cards li{background:var(--card);border-radius:.4rem;padding:.6rem .8rem}
ol.cards{grid-template-columns:1fr}ol.cards li{border-left:.3rem solid var(--line1)}
.name{font-weight:600}.value{font-size:1.35rem}.interval{color:var(--soft);font-size:.88em;white-space:nowrap}
.small{font-size:.87rem}.limits{color:var(--soft)}
.pictures{display:grid;gap:1rem;align-items:start;grid-template-columns:repeat(auto-fill,minmax(min(23rem,100%),1fr))}
figure{margin:0;background:var(--card);border-radius:.4rem;padding:.7rem}
figure svg{display:block;width:100%;height:auto}
figcaption{font-size:.9rem}
.scroll{overflow-x:auto;max-height:38rem;border:1px solid var(--faint);border-radius:.3rem}
table{border-collapse:collapse;width:100%;font-size:.87rem}
th,td{padding:.25rem .6rem;text-align:right;white-space:nowrap;border-bottom:1px solid var(--card)}
thead th{position:sticky;top:0;background:var(--paper)}tbody th,th:first-child{text-align:left}tbody th{font-weight:400}
#verdict td{text-align:left;white-space:normal}#verdict td:nth-child(2){white-space:nowrap}
#verdict :is(th,td){vertical-align:top}
.parts{list-style:none;padding:0;display:grid;gap:.3rem;grid-template-columns:repeat(auto-fill,minmax(min(11rem,100%),1fr))}
.parts li,.heat td{background:color-mix(in srgb,var(--line1) var(--heat,0%),var(--paper))}
.parts li{padding:.25rem .5rem;border:1px solid var(--faint);display:flex;justify-content:space-between}
.layers{display:flex;flex-wrap:wrap;gap:.8rem;align-items:end}.layers .parts{flex:1 1 100%}
.heat{width:auto}.heat td{min-width:2.6rem;text-align:center;border:1px solid var(--faint)}
.heat caption{text-align:left;font-size:.9rem}
.plain{columns:20rem;padding-left:1.2rem}
"""
