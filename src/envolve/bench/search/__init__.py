"""How strong the searching solver is, by its budget and by the structural depth of tasks."""
