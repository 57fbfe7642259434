"""Build the extension for VS Code: ``build/patolli-VERSION.vsix``, a zip of this folder with two lists of its content.

    python tools/vscode/build.py                      # npm fetches the one dependency, vscode-languageclient
    code --install-extension build/patolli-*.vsix

npm installs into a temporary folder, so this one stays as it is.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

FOLDER = Path(__file__).parent
KEPT = ("LICENSE", "README.md", "extension.js", "package.json", "snippets/*.json", "syntaxes/*.json")
MANIFEST = """\
<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity Language="en-US" Id={name} Version={version} Publisher={publisher}/>
    <DisplayName>{title}</DisplayName>
    <Description xml:space="preserve">{description}</Description>
    <Categories>{categories}</Categories>
    <Properties><Property Id="Microsoft.VisualStudio.Code.Engine" Value={engine}/></Properties>
    <License>extension/LICENSE</License>
  </Metadata>
  <Installation><InstallationTarget Id="Microsoft.VisualStudio.Code"/></Installation>
  <Dependencies/>
  <Assets>
    <Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Content.Details" Path="extension/README.md" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Content.License" Path="extension/LICENSE" Addressable="true"/>
  </Assets>
</PackageManifest>
"""


def describe_extension(package: dict[str, object]) -> str:
    """Return ``extension.vsixmanifest``: what ``package.json`` says, in the form that VS Code reads first."""
    values = {key: quoteattr(str(package[key])) for key in ("name", "version", "publisher")}
    texts = {"title": package["displayName"], "description": package["description"]}
    engine = quoteattr(package["engines"]["vscode"])  # type: ignore[index]
    categories = escape(",".join(package["categories"]))  # type: ignore[arg-type]
    shown = {key: escape(str(text)) for key, text in texts.items()}
    return MANIFEST.format(**values, **shown, engine=engine, categories=categories)


def list_types(names: list[str]) -> str:
    """Return ``[Content_Types].xml``: a type for each ending, and for each file without one."""
    endings = sorted({Path(name).suffix for name in names} - {""})
    parts = [f"<Default Extension={quoteattr(one)} ContentType={quoteattr(find_type(one))}/>" for one in endings]
    bare = sorted(name for name in names if not Path(name).suffix)
    parts += [f'<Override PartName={quoteattr("/" + one)} ContentType="text/plain"/>' for one in bare]
    namespace = "http://schemas.openxmlformats.org/package/2006/content-types"
    return f'<?xml version="1.0" encoding="utf-8"?>\n<Types xmlns="{namespace}">{"".join(parts)}</Types>\n'


def find_type(ending: str) -> str:
    """Return the media type of a file by its ending."""
    known = {".json": "application/json", ".js": "application/javascript", ".vsixmanifest": "text/xml"}
    return known.get(ending, "text/plain")


def copy_extension(target: Path) -> None:
    """Copy what belongs to the extension."""
    for pattern in KEPT:
        for file in FOLDER.glob(pattern):
            place = target / file.relative_to(FOLDER)
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, place)


def write_archive(folder: Path, archive: Path) -> None:
    """Write the files of a folder as an extension, always in the same order and with the same dates."""
    package = json.loads((folder / "package.json").read_text("utf-8"))
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    content = {f"extension/{path.relative_to(folder).as_posix()}": path.read_bytes() for path in files}
    content["extension.vsixmanifest"] = describe_extension(package).encode()
    content["[Content_Types].xml"] = list_types(list(content)).encode()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
        for name, data in content.items():
            file.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)


def run() -> int:
    """Fetch the dependency and write the archive; return the exit status of npm."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        copy_extension(folder)
        words = ["npm", "install", "--omit=dev", "--ignore-scripts", "--no-package-lock", "--no-audit", "--no-fund"]
        status = subprocess.run([*words, "--silent"], cwd=folder, check=False).returncode
        if status:
            return status
        version = json.loads((folder / "package.json").read_text("utf-8"))["version"]
        archive = FOLDER.parents[1] / "build" / f"patolli-{version}.vsix"
        archive.parent.mkdir(exist_ok=True)
        write_archive(folder, archive)
    print(archive.relative_to(FOLDER.parents[1]))
    return 0


if __name__ == "__main__":
    sys.exit(run())
