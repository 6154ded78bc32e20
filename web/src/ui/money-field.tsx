import { TextInput, type TextInputProps } from '@mantine/core';
import { useRef, useState } from 'react';
import { formatMoney } from '../lib/format.ts';
import { parseDollars } from '../lib/parse-dollars.ts';

interface MoneyFieldProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  /** Dollars; empty where nothing is entered, or nothing that is an amount. */
  value: number | '';
  onChange: (dollars: number | '') => void;
}

/**
 * An amount of money. Whoever comes to the field replaces what stands there; what is typed or pasted stays as it is
 * until the field is left, so that no key falls into a text that has just changed under it.
 */
export function MoneyField({ value, onChange, ...field }: MoneyFieldProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const justEntered = useRef(false);
  return (
    <TextInput
      {...field}
      inputMode="decimal"
      autoComplete="off"
      maxLength={40}
      value={typed ?? (value === '' ? '' : formatMoney(value))}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
        onChange(parseDollars(currentTarget.value) ?? '');
      }}
      onFocus={({ currentTarget }) => {
        justEntered.current = true;
        currentTarget.select();
      }}
      // The press that brought the focus has put the caret somewhere since.
      onClick={({ currentTarget }) => {
        const isCaret = currentTarget.selectionStart === currentTarget.selectionEnd;
        if (justEntered.current && isCaret) currentTarget.select();
        justEntered.current = false;
      }}
      onBlur={(event) => {
        // What could not be read stays to be mended.
        if (value !== '' || !typed?.trim()) setTyped(null);
        field.onBlur?.(event);
      }}
    />
  );
}
