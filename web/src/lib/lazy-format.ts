type Format<T> = (value: T) => string;

/** A formatter of `Intl` takes long to make: it is made when it is first used, and kept. */
function lazyFormat<T>(make: () => { format: Format<T> }): Format<T> {
  let made: { format: Format<T> } | undefined;
  return (value) => {
    made ??= make();
    return made.format(value);
  };
}

export const dateFormat = (options: Intl.DateTimeFormatOptions): Format<Date | number> =>
  lazyFormat(() => new Intl.DateTimeFormat('en-US', options));

export const numberFormat = (options: Intl.NumberFormatOptions): Format<number> =>
  lazyFormat(() => new Intl.NumberFormat('en-US', options));
