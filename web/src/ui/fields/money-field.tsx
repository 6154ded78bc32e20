import { TextInput, type TextInputProps } from '@mantine/core';
import { useRef, useState } from 'react';
import { formatMoney } from '../../rental/format.ts';
import { parseDollars } from '../../rental/parse-dollars.ts';

interface MoneyFieldProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  /** Dollars; empty if the text is empty or not an amount. */
  value: number | '';
  onChange: (dollars: number | '') => void;
}

/** Focusing selects the content. The text is formatted only on blur, so that it does not change during typing. */
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
      // The click that focused the field has removed the selection, so select the content again.
      onClick={({ currentTarget }) => {
        const isCaret = currentTarget.selectionStart === currentTarget.selectionEnd;
        if (justEntered.current && isCaret) currentTarget.select();
        justEntered.current = false;
      }}
      onBlur={(event) => {
        // Keep unreadable text, so that the user can correct it.
        if (value !== '' || !typed?.trim()) setTyped(null);
        field.onBlur?.(event);
      }}
    />
  );
}
