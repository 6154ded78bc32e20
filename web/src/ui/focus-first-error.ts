interface FormWithNodes {
  getInputNode: (path: string) => HTMLElement | null;
}

/** After a failed submit the focus goes to the first field that needs fixing. */
export function focusFirstError(form: FormWithNodes, errors: object): void {
  const [first] = Object.keys(errors);
  if (first) form.getInputNode(first)?.focus();
}
