import { ActionIcon, Input, Loader, Text } from '@mantine/core';
import { IconPhotoPlus, IconX } from '@tabler/icons-react';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { isOblong, isReady, oblongText, readyToSend, unreadableText } from '../lib/shrink-image.ts';
import classes from './image-field.module.css';

interface ImageFieldProps {
  label: string;
  value: File | null;
  onChange: (file: File | null) => void;
  /** The URL of the stored picture. */
  current?: string | null;
  onRemoveCurrent?: () => void;
  error?: string;
  required?: boolean;
  round?: boolean;
  /** The field's name, by which Mantine's form finds the input. */
  path?: string;
  tools?: ReactNode;
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

/** Calls `onReady` with a chosen file once it is converted. If two are chosen in a row, the later one wins. */
function useReadyFile(onReady: (file: File) => void, onRefused: (words: string) => void) {
  const latest = useRef<File | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const take = async (file: File) => {
    latest.current = file;
    if (isReady(file)) {
      setIsBusy(false);
      return onReady(file);
    }
    setIsBusy(true);
    const outcome = await readyToSend(file).catch((error: Error) => error.message);
    if (latest.current !== file) return;
    setIsBusy(false);
    if (typeof outcome === 'string') onRefused(outcome);
    else onReady(outcome);
  };
  return { take, isBusy };
}

/** Accepts one image by click, key, camera or drop, and previews it. Other files are rejected. */
export function ImageField(props: ImageFieldProps) {
  const { label, value, onChange, current, onRemoveCurrent, required, round, path, tools } = props;
  const id = useId();
  const [refused, setRefused] = useState('');
  const shown = usePreview(value) ?? current ?? null;
  const error = refused || props.error;

  const { take, isBusy } = useReadyFile((file) => {
    setRefused('');
    onChange(file);
  }, setRefused);
  const refuse = (words: string) => {
    clear();
    setRefused(words);
  };
  const clear = () => {
    setRefused('');
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
          id={id}
          type="file"
          accept="image/*"
          className={classes.input}
          onChange={(event) => {
            const [file] = event.currentTarget.files ?? [];
            // Lets the user choose the same file again after removing or moving it.
            event.currentTarget.value = '';
            if (file) void take(file);
          }}
          data-path={path}
          aria-describedby={error ? `${id}-error` : undefined}
          aria-invalid={Boolean(error)}
        />
        {isBusy ? (
          <span className={classes.hint} role="status">
            <Loader size="sm" />
            <Text size="sm">Making it smaller…</Text>
          </span>
        ) : shown ? (
          // A file may have the name and type of an image without being one.
          <img
            src={shown}
            alt=""
            className={classes.preview}
            onError={() => value && refuse(unreadableText)}
            onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
              value && isOblong(naturalWidth, naturalHeight) && refuse(oblongText)
            }
          />
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
        {shown && tools}
      </div>
      {error && <Input.Error id={`${id}-error`}>{error}</Input.Error>}
    </div>
  );
}
