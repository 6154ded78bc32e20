import { ActionIcon, Text, VisuallyHidden } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { IconArrowLeft, IconArrowRight, IconGripVertical } from '@tabler/icons-react';
import { type PointerEvent, useEffect, useRef, useState } from 'react';
import { ImageField } from '../../ui/fields/image-field.tsx';
import classes from './my-tools.module.css';
import {
  imageFields,
  movePicture,
  noteSize,
  smallestCover,
  type ToolValues,
} from './tool-form-values.ts';

const labels = ['Cover image', 'Image 1', 'Image 2', 'Image 3', 'Image 4'];

function labelOf(index: number) {
  return labels[index] ?? '';
}

function nameOf(index: number) {
  return labelOf(index).toLowerCase();
}

function placeAt({ clientX, clientY }: PointerEvent): number | null {
  const tile = document.elementFromPoint(clientX, clientY)?.closest<HTMLElement>('[data-index]');
  return tile ? Number(tile.dataset.index) : null;
}

/** Lets the user drag pictures. Custom code, because a sorting library would be larger than the whole form. */
function useDrag(onDrop: (from: number, to: number) => void) {
  const [drag, setDrag] = useState<{ from: number; over: number } | null>(null);
  const handleOf = (from: number) => ({
    onPointerDown: (event: PointerEvent) => {
      if (event.button) return;
      event.preventDefault();
      event.currentTarget.setPointerCapture(event.pointerId);
      setDrag({ from, over: from });
    },
    onPointerMove: (event: PointerEvent) => {
      if (drag) setDrag({ ...drag, over: placeAt(event) ?? drag.over });
    },
    onPointerUp: () => {
      setDrag(null);
      if (drag && drag.over !== drag.from) onDrop(drag.from, drag.over);
    },
    onPointerCancel: () => setDrag(null),
  });
  return { drag, handleOf };
}

interface ToolsProps {
  index: number;
  isLast: boolean;
  onMove: (from: number, to: number) => void;
  handle: ReturnType<ReturnType<typeof useDrag>['handleOf']>;
}

function PictureTools({ index, isLast, onMove, handle }: ToolsProps) {
  const button = { variant: 'default', size: 32, radius: 'xl' } as const;
  return (
    <div className={classes.pictureTools}>
      <span className={classes.handle} title="Drag to another place" aria-hidden {...handle}>
        <IconGripVertical size={18} />
      </span>
      <span>
        <ActionIcon
          {...button}
          onClick={() => onMove(index, index - 1)}
          disabled={index === 0}
          aria-label={`Move ${nameOf(index)} earlier`}
          data-moves="-1"
        >
          <IconArrowLeft size={16} />
        </ActionIcon>
        <ActionIcon
          {...button}
          onClick={() => onMove(index, index + 1)}
          disabled={isLast}
          aria-label={`Move ${nameOf(index)} later`}
          data-moves="1"
        >
          <IconArrowRight size={16} />
        </ActionIcon>
      </span>
    </div>
  );
}

/** After a move by keyboard, focuses the picture at its new position, so that it can be moved further. */
function useFocusOnMoved() {
  const box = useRef<HTMLDivElement>(null);
  const [moved, setMoved] = useState<{ to: number; by: number } | null>(null);
  useEffect(() => {
    if (!moved) return;
    const tile = box.current?.querySelector(`[data-index="${moved.to}"]`);
    const button = [moved.by, -moved.by]
      .map((by) => tile?.querySelector<HTMLButtonElement>(`[data-moves="${Math.sign(by)}"]`))
      .find((one) => one && !one.disabled);
    button?.focus();
  }, [moved]);
  return { box, moved, setMoved };
}

function PhotoTips() {
  return (
    <div>
      <Text fw={600}>Photos that get a tool rented</Text>
      <ul className={classes.tips}>
        <li>Daylight, and a plain background.</li>
        <li>
          First the whole tool, wider than high, with at least {smallestCover.width} ×{' '}
          {smallestCover.height} pixels.
        </li>
        <li>Then its label, its wear, and all that comes with it.</li>
      </ul>
    </div>
  );
}

export function ToolPictures({ form }: { form: UseFormReturnType<ToolValues> }) {
  const { pictures } = form.values;
  const { box, moved, setMoved } = useFocusOnMoved();
  // An updater function, because the user may choose another picture while a large file is being converted.
  const put = (index: number, picture: ToolValues['pictures'][number]) =>
    form.setFieldValue('pictures', (now) => now.map((one, at) => (at === index ? picture : one)));
  const move = (from: number, to: number) => {
    const next = movePicture(pictures, from, to);
    form.setFieldValue('pictures', next);
    setMoved({ to: next.indexOf(pictures[from] ?? null), by: to - from });
  };
  const { drag, handleOf } = useDrag(move);
  const isLast = (index: number) => !pictures.slice(index + 1).some(Boolean);
  return (
    <>
      <PhotoTips />
      <div className={classes.pictures} ref={box} data-dragging={drag ? true : undefined}>
        {imageFields.map((field, index) => {
          const picture = pictures[index] ?? null;
          const file = picture instanceof File ? picture : null;
          const error = form.errors[field] ?? (index === 0 ? form.errors.pictures : null);
          return (
            <div
              key={field}
              data-index={index}
              data-over={(drag && drag.over === index) || undefined}
              data-dragged={drag?.from === index || undefined}
            >
              <ImageField
                label={labelOf(index)}
                required={index === 0}
                {...(index === 0 && { path: 'pictures' })}
                value={file}
                current={picture && !(picture instanceof File) ? picture.path : null}
                onChange={(chosen) => put(index, chosen)}
                onRemoveCurrent={() => put(index, null)}
                onSize={(chosen, width, height) => {
                  noteSize(chosen, width, height);
                  if (index === 0) void form.validateField('pictures');
                }}
                error={error?.toString()}
                tools={
                  <PictureTools
                    index={index}
                    isLast={isLast(index)}
                    onMove={move}
                    handle={handleOf(index)}
                  />
                }
              />
            </div>
          );
        })}
        <VisuallyHidden role="status">{moved && `It is ${nameOf(moved.to)} now.`}</VisuallyHidden>
      </div>
    </>
  );
}
