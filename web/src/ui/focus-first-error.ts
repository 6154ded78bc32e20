interface FormWithNodes {
  getInputNode: (path: string) => HTMLElement | null;
}

export function focusFirstError(form: FormWithNodes, errors: object): void {
  const [first] = Object.keys(errors);
  if (first) form.getInputNode(first)?.focus();
}
