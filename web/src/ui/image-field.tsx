import { ActionIcon, Input, Text } from '@mantine/core';
import { IconPhotoPlus, IconX } from '@tabler/icons-react';
import { useEffect, useId, useRef, useState } from 'react';
import classes from './image-field.module.css';

const maxBytes = 10 * 1024 * 1024;

interface ImageFieldProps {
  label: string;
  value: File | null;
  onChange: (file: File | null) => void;
  /** The address of the picture that is stored now. */
  current?: string | null;
  onRemoveCurrent?: () => void;
  error?: string;
  required?: boolean;
  round?: boolean;
}

function usePreview(file: File | null): string | null {
  const [preview, setPreview] = useState<string | null>(null);
  useEffect(() => {
    if (!file) return setPreview(null);
    const url = URL.createObjectURL(file);
    setPreview(url);
    return () => URL.revokeObjectURL(url);
  }, [file]);
  return preview;
}

/** Takes one picture, by click, key, camera or drop, and shows it. Anything but a picture is refused. */
export function ImageField(props: ImageFieldProps) {
  const { label, value, onChange, current, onRemoveCurrent, required, round } = props;
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [refused, setRefused] = useState('');
  const shown = usePreview(value) ?? current ?? null;
  const error = refused || props.error;

  const take = (file: File | undefined) => {
    if (!file) return;
    if (!file.type.startsWith('image/')) return setRefused('Please choose an image file');
    if (file.size > maxBytes) return setRefused('Please choose an image of at most 10 MB');
    setRefused('');
    onChange(file);
  };
  const refuse = () => {
    clear();
    setRefused('Please choose an image file');
  };
  const clear = () => {
    setRefused('');
    if (input.current) input.current.value = '';
    if (value) onChange(null);
    else onRemoveCurrent?.();
  };

  return (
    <div className={classes.field} data-round={round || undefined}>
      <Input.Label htmlFor={id} required={required} size="md">
        {label}
      </Input.Label>
      <div
        className={classes.box}
        data-filled={Boolean(shown) || undefined}
        data-error={Boolean(error) || undefined}
      >
        <input
          ref={input}
          id={id}
          type="file"
          accept="image/*"
          className={classes.input}
          onChange={(event) => take(event.currentTarget.files?.[0])}
          aria-describedby={error ? `${id}-error` : undefined}
          aria-invalid={Boolean(error)}
        />
        {shown ? (
          // Its name and type may promise a picture that the bytes are not.
          <img src={shown} alt="" className={classes.preview} onError={() => value && refuse()} />
        ) : (
          <span className={classes.hint} aria-hidden>
            <IconPhotoPlus size={26} stroke={1.6} />
            <Text size="sm">Choose an image</Text>
          </span>
        )}
        {(value || (current && onRemoveCurrent)) && (
          <ActionIcon
            variant="filled"
            color="dark"
            radius="xl"
            className={classes.clear}
            onClick={clear}
            aria-label={`Remove ${label.toLowerCase()}`}
          >
            <IconX size={16} />
          </ActionIcon>
        )}
      </div>
      {error && <Input.Error id={`${id}-error`}>{error}</Input.Error>}
    </div>
  );
}
