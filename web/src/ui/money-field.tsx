import { TextInput, type TextInputProps } from '@mantine/core';
import { useRef, useState } from 'react';
import { formatMoney } from '../lib/format.ts';
import { parseDollars } from '../lib/parse-dollars.ts';

interface MoneyFieldProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  /** Dollars; empty if the text is empty or not an amount. */
  value: number | '';
  onChange: (dollars: number | '') => void;
}

/**
 * An input for an amount of money. Focusing it selects its content. The typed text is formatted only on blur, so that it
 * does not change during typing.
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
      // Select the content again: the click that focused the field has placed the caret and removed the selection.
      onClick={({ currentTarget }) => {
        const isCaret = currentTarget.selectionStart === currentTarget.selectionEnd;
        if (justEntered.current && isCaret) currentTarget.select();
        justEntered.current = false;
      }}
      onBlur={(event) => {
        // Unreadable text is kept, so that the user can correct it.
        if (value !== '' || !typed?.trim()) setTyped(null);
        field.onBlur?.(event);
      }}
    />
  );
}
