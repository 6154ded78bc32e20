interface FormWithNodes {
  getInputNode: (path: string) => HTMLElement | null;
}

/** After a failed submit, focuses the first field with an error. */
export function focusFirstError(form: FormWithNodes, errors: object): void {
  const [first] = Object.keys(errors);
  if (first) form.getInputNode(first)?.focus();
}
