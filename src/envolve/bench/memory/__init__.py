"""How often defects are repeated, with the memory of defects and without it. Coder and mistakes are **simulated**.

Each seed is a small run of several rounds: the same scenarios, designs and slips of the pen in every arm, so arms are
compared seed by seed. The coder is the procedural one, made forgetful: it has a few *habits* (kinds of faults, drawn by
the seed), and each first draft has a fault of one of them at a place drawn by chance. What it wrote is tested, probed,
reviewed and repaired for real; what is confirmed is stored and retrieved by the memory that runs use. Nothing says a
critic or gate which fault was planted.

- *Confirmed kind*: a kind of fault of which an earlier round of the same run had a confirmed finding, mended by a repair.
- *Written repeats*: the share of first drafts that have a fault of a confirmed kind.
- *Escaped repeats*: the share of admitted environments that still have a planted fault of a confirmed kind.
- *Warned*: of the drafts about to have a fault of a confirmed kind, those of which retrieval told the coder a defect of
  this kind at a like place (`agents.recalled.likeness` of the tools). Measured.
- *Heed*: warned, the coder writes that place right with this probability. Assumed: how models heed is not measured here,
  and written repeats fall by about warned × heed by construction.

Arms: `without` any memory; `probes`, in which past probes are tried and the coder is told nothing; `with` both. The
effect of `probes` on escapes rests on no assumption but the faults themselves. The tester makes fewer calls than in a
run (an option), which leaves more for the probes to find.
"""
