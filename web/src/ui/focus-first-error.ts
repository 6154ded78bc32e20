interface FormWithNodes {
  getInputNode: (path: string) => HTMLElement | null;
}

/** After a refused submit the keyboard goes to the first field that has to be mended. */
export function focusFirstError(form: FormWithNodes, errors: object): void {
  const [first] = Object.keys(errors);
  if (first) form.getInputNode(first)?.focus();
}
