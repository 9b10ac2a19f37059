// Native modules get the `jest` object as a global; jest's own runtime gives it to each module only.
globalThis.jest = import.meta.jest;
