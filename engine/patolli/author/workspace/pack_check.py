"""Check one pack, with all that it requires: its rules, its scenarios, and the comments that allow a finding.

In:     what to check, and the files as they are.
Out:    what was found, and what is left of it after the comments.
Errors: those of ``inspecting`` and ``scenarios``; of the comments P0701 to P0703; P0900 where the checker stumbles.
"""

from __future__ import annotations

from collections.abc import Iterator

from patolli.author.workspace.findings import Findings, Request
from patolli.author.workspace.inspection import Inspection, inspect
from patolli.author.workspace.needs import Requirements, requirements
from patolli.author.workspace.optional_check import check_optional
from patolli.author.workspace.scenarios.scenario_check import ScenarioChecks
from patolli.check.proofs.prover import prover_of
from patolli.language.diagnostics import ContentError, Problem, start_of
from patolli.language.diagnostics.fault import EngineFault
from patolli.language.diagnostics.suppression import Allowance, sift
from patolli.language.packs.comments import comments_of
from patolli.language.packs.manifest import DISK, Files, Kept
from patolli.language.packs.name_history import explain_old_names


def check_pack(request: Request, files: Files = DISK) -> Findings:
    """Check the rules of a pack, then its scenarios; report a failure of the checker like a problem."""
    check = PackCheck(request, files)
    try:
        check.rules()
        for _ in check.scenarios():
            pass
        check.optional_documents()
        return check.findings()
    except MemoryError:  # no fault of the checker
        raise
    except Exception as error:
        fault = EngineFault.of(error, pack=request.pack)
        return Findings([request.pack], problems=[report_internal_error(request.pack, fault)], fault=fault)


class PackCheck:
    """The check of one pack, stage by stage; the files are kept as they were when it began.

    ``scenario_checks`` may come from an earlier check: what cannot have changed is not looked at again.
    ``in_scenarios`` is what was found in scenarios, by :meth:`scenarios` or earlier; ``in_optional`` what was found in
    documents that wait for other modules, which are ``tried`` with it.
    """

    def __init__(self, request: Request, files: Files = DISK, scenario_checks: ScenarioChecks | None = None) -> None:
        self.request = request
        self.files = files if isinstance(files, Kept) else Kept(files)
        self.needs = Requirements(request.pack)
        self.inspection = Inspection([])
        self.scenario_checks = scenario_checks or ScenarioChecks()
        self.in_scenarios: list[Problem] = []
        self.in_optional: list[Problem] = []
        self.tried: tuple[str, ...] = ()
        self._comments: dict[str, list[Allowance]] | None = None

    def rules(self) -> None:
        """Compose the pack with what it requires, and check everything but scenarios."""
        request = self.request
        self.needs = requirements(request.pack, self.files)
        modules = [*self.needs.modules, *request.modules]
        self.inspection = inspect(self.needs.base, modules, dict(request.options), files=self.files)

    @property
    def sound(self) -> bool:
        """Whether the rules were checked and are without errors."""
        return self.inspection.ruleset is not None

    def scenarios(self) -> Iterator[None]:
        """Check the scenarios of a sound pack, in small parts, so that others can come in between."""
        found: list[Problem] = []
        try:
            for part in self._of_scenarios():
                found += part
                yield
        except ContentError as error:
            found += error.problems
        model = self.inspection.model
        if model is not None:
            found = explain_old_names(found, model.composition.packs, lambda path: self.files.text(path)[0])
        self.in_scenarios = found

    def optional_documents(self) -> None:
        """Check the documents of a sound pack that wait for other modules, with these modules."""
        model = self.inspection.model
        if self.sound and model is not None:
            found = check_optional(self.request, self.needs, model.composition, self.files)
            self.in_optional, self.tried = found

    def _of_scenarios(self) -> Iterator[list[Problem]]:
        if self.inspection.ruleset is None:
            return
        self.scenario_checks.know(self.inspection.ruleset.model)
        yield from self.scenario_checks.check(self.request.pack, self.needs.base, self.needs.modules, self.files)

    def findings(self) -> Findings:
        """Return what was found so far, without what comments allow."""
        request = self.request
        packs = list(dict.fromkeys([*self.needs.names, *request.modules]))
        if self._comments is None:
            self._comments = comments_of(dict.fromkeys([*packs, request.pack]), self.files)
        comments = self._comments
        problems = [*self.inspection.problems, *self.in_scenarios, *self.in_optional]
        sifted = sift(problems, [comment for several in comments.values() for comment in several])
        wrong = any(problem.severity == "error" for problem in problems)
        own = [] if request.modules or request.options or wrong else comments.get(request.pack, [])
        unused = [comment for comment in sifted.unused if comment in own]
        model = self.inspection.model
        demands = len(prover_of(model).demands) if model is not None and model.prover is not None else 0
        guests = [*self.scenario_checks.packs, *self.tried]
        return Findings(packs, guests, sifted.problems, sifted.allowed, unused, demands=demands)


def report_internal_error(pack: str, fault: EngineFault) -> Problem:
    """Report that the checker itself failed over a pack."""
    words = f"internal error while checking {pack!r}: {fault.what}"
    return Problem("P0900", words, start_of(pack), "this is an internal error in Patolli; please report it")
