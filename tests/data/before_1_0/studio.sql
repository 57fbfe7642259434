PRAGMA user_version = 1;
BEGIN TRANSACTION;
CREATE TABLE acts (
    id text not null references tables, revision integer not null, kind text not null, data text not null,
    key text not null default '', primary key (id, revision)
);
INSERT INTO "acts" VALUES('ca86gwfr',1,'choice','{"seat":0,"index":0,"label":"take small_5","anytime":false,"offered":"2d6929b9718b"}','');
INSERT INTO "acts" VALUES('ca86gwfr',2,'choice','{"seat":1,"index":2,"label":"gain a chip","anytime":false,"offered":"3da9f450bb4a"}','');
INSERT INTO "acts" VALUES('ca86gwfr',3,'choice','{"seat":0,"index":0,"label":"take trade_3","anytime":false,"offered":"32c75f8f87db"}','');
INSERT INTO "acts" VALUES('ca86gwfr',4,'choice','{"seat":1,"index":2,"label":"take small_1","anytime":false,"offered":"a6f8aaf0ef1e"}','');
INSERT INTO "acts" VALUES('ca86gwfr',5,'choice','{"seat":0,"index":0,"label":"take trade_1","anytime":false,"offered":"383ae14250b6"}','');
INSERT INTO "acts" VALUES('ca86gwfr',6,'choice','{"seat":0,"index":1,"label":"2 stars for a chip","anytime":false,"offered":"1d517648e8eb"}','');
INSERT INTO "acts" VALUES('ca86gwfr',7,'choice','{"seat":1,"index":3,"label":"gain a chip","anytime":false,"offered":"ae2d357ecbc1"}','');
INSERT INTO "acts" VALUES('ca86gwfr',8,'choice','{"seat":0,"index":3,"label":"gain a chip","anytime":false,"offered":"233454b7e1a9"}','');
INSERT INTO "acts" VALUES('ca86gwfr',9,'choice','{"seat":1,"index":3,"label":"gain a chip","anytime":false,"offered":"3353a1500b35"}','');
INSERT INTO "acts" VALUES('uhvk43hz',1,'choice','{"seat":0,"index":0,"label":"take small_5","anytime":false,"offered":"2d6929b9718b"}','');
INSERT INTO "acts" VALUES('uhvk43hz',2,'choice','{"seat":1,"index":2,"label":"gain a chip","anytime":false,"offered":"3da9f450bb4a"}','');
INSERT INTO "acts" VALUES('uhvk43hz',3,'choice','{"seat":0,"index":0,"label":"take trade_3","anytime":false,"offered":"32c75f8f87db"}','');
INSERT INTO "acts" VALUES('uhvk43hz',4,'choice','{"seat":1,"index":2,"label":"take small_1","anytime":false,"offered":"a6f8aaf0ef1e"}','');
INSERT INTO "acts" VALUES('uhvk43hz',5,'choice','{"seat":0,"index":0,"label":"take trade_1","anytime":false,"offered":"383ae14250b6"}','');
INSERT INTO "acts" VALUES('uhvk43hz',6,'choice','{"seat":0,"index":1,"label":"2 stars for a chip","anytime":false,"offered":"1d517648e8eb"}','');
INSERT INTO "acts" VALUES('uhvk43hz',7,'choice','{"seat":1,"index":3,"label":"gain a chip","anytime":false,"offered":"ae2d357ecbc1"}','');
INSERT INTO "acts" VALUES('uhvk43hz',8,'choice','{"seat":0,"index":3,"label":"gain a chip","anytime":false,"offered":"233454b7e1a9"}','');
INSERT INTO "acts" VALUES('uhvk43hz',9,'choice','{"seat":1,"index":3,"label":"gain a chip","anytime":false,"offered":"3353a1500b35"}','');
CREATE TABLE tables (
    id text primary key, made text not null default current_timestamp, setup text not null, seats text not null,
    content text not null
);
INSERT INTO "tables" VALUES('ca86gwfr','2026-11-29 18:10:00','{"pack":"isle","modules":[],"options":{},"players":2,"seed":3,"open":false}','{"places":[{"token":"lW-kwbQpCUf0ZYjOcDS6wXg3","name":"","bot":"","taken":false},{"token":"i779zxuweEiAJYEYdizcVn8l","name":"","bot":"","taken":false}],"host":"BV2sQ-BFbABraJs4ujxBnEOH","watch":"JIEDc3yTsJtPt1tcZgomAfQK"}','ab824015afe195b1d8d20ca48d06bf90');
INSERT INTO "tables" VALUES('uhvk43hz','2026-11-29 18:10:00','{"pack":"isle","modules":["windfall"],"options":{},"players":2,"seed":3,"open":false}','{"places":[{"token":"wGhWZeFFYKPHp-q5s-A6UF7a","name":"","bot":"","taken":false},{"token":"BCRuFBryjFdNi136fw18Yd2H","name":"","bot":"","taken":false}],"host":"NX8-XFMRJu0oCwSdLuOyLRTu","watch":"j0x9hl2pYYuqVaCK2710rhfn"}','d4a973930b7d8c5f62e1703f33395dd3');
CREATE UNIQUE INDEX keys on acts (id, key) where key != '';
COMMIT;
