import { ActionIcon, Input, Loader, Text } from '@mantine/core';
import { IconPhotoPlus, IconX } from '@tabler/icons-react';
import { type ReactNode, useId, useRef, useState } from 'react';
import {
  isOblong,
  isReady,
  oblongText,
  readyToSend,
  unreadableText,
} from '../../lib/shrink-image.ts';
import { useObjectUrl } from '../../lib/use-object-url.ts';
import classes from './image-field.module.css';

interface ImageFieldProps {
  label: string;
  value: File | null;
  onChange: (file: File | null) => void;
  current?: string | null;
  onRemoveCurrent?: () => void;
  error?: string;
  required?: boolean;
  round?: boolean;
  /** Called with the pixels of a chosen file once the browser shows it. */
  onSize?: (file: File, width: number, height: number) => void;
  /** The field's name, by which Mantine's form finds the input. */
  path?: string;
  tools?: ReactNode;
}

/** Converts the chosen file. If two files are chosen in a row, the later one wins. */
function useReadyFile(onReady: (file: File) => void, onReject: (words: string) => void) {
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
    if (typeof outcome === 'string') onReject(outcome);
    else onReady(outcome);
  };
  return { take, isBusy };
}

interface PreviewProps {
  src: string | null;
  isBusy: boolean;
  /** Whether the file was newly chosen. A new file that the browser can't show is rejected. */
  isNew: boolean;
  onReject: (words: string) => void;
  onSize: (width: number, height: number) => void;
}

function Preview({ src, isBusy, isNew, onReject, onSize }: PreviewProps) {
  if (isBusy)
    return (
      <span className={classes.hint} role="status">
        <Loader size="sm" />
        <Text size="sm">Making it smaller…</Text>
      </span>
    );
  if (!src)
    return (
      <span className={classes.hint} aria-hidden>
        <IconPhotoPlus size={26} stroke={1.6} />
        <Text size="sm">Choose an image</Text>
      </span>
    );
  // The image may fail to load: a file can have an image's name and type without being one.
  return (
    <img
      src={src}
      alt=""
      className={classes.preview}
      onError={() => isNew && onReject(unreadableText)}
      onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) => {
        if (!isNew) return;
        if (isOblong(naturalWidth, naturalHeight)) return onReject(oblongText);
        onSize(naturalWidth, naturalHeight);
      }}
    />
  );
}

export function ImageField(props: ImageFieldProps) {
  const { label, value, onChange, current, onRemoveCurrent, required, round, path, tools } = props;
  const id = useId();
  const [rejected, setRejected] = useState('');
  const shown = useObjectUrl(value) ?? current ?? null;
  const error = rejected || props.error;

  const { take, isBusy } = useReadyFile((file) => {
    setRejected('');
    onChange(file);
  }, setRejected);
  const reject = (words: string) => {
    clear();
    setRejected(words);
  };
  const clear = () => {
    setRejected('');
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
        <Preview
          src={shown}
          isBusy={isBusy}
          isNew={value !== null}
          onReject={reject}
          onSize={(width, height) => value && props.onSize?.(value, width, height)}
        />
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
