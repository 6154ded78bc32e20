type Format<T> = (value: T) => string;

/** Creates the `Intl` formatter on first use and reuses it, because creating one is slow. */
function lazyFormat<T>(make: () => { format: Format<T> }): Format<T> {
  let made: { format: Format<T> } | undefined;
  return (value) => {
    made ??= make();
    return made.format(value);
  };
}

export function dateFormat(options: Intl.DateTimeFormatOptions): Format<Date | number> {
  return lazyFormat(() => new Intl.DateTimeFormat('en-US', options));
}

export function numberFormat(options: Intl.NumberFormatOptions): Format<number> {
  return lazyFormat(() => new Intl.NumberFormat('en-US', options));
}
