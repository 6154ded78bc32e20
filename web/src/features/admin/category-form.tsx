import type { Category } from '@lendtools/contracts';
import { hasImage } from '@lendtools/contracts/images';
import { Button, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useRef, useState } from 'react';
import { errorMessage, fieldErrors } from '../../api/error-message.ts';
import { ImageField } from '../../ui/fields/image-field.tsx';

interface CategoryFormProps {
  category: Category | null;
  submitLabel: string;
  /** Resolves to the error, or to undefined on success. */
  onSave: (form: FormData) => Promise<unknown>;
}

export function CategoryForm({ category, submitLabel, onSave }: CategoryFormProps) {
  const [name, setName] = useState(category?.name ?? '');
  const [image, setImage] = useState<File | null>(null);
  const [nameProblem, setNameProblem] = useState('');
  const [problem, setProblem] = useState('');
  const nameField = useRef<HTMLInputElement>(null);
  const [saving, setSaving] = useState(false);

  const rejectName = (text: string) => {
    setNameProblem(text);
    nameField.current?.focus();
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!name.trim()) return rejectName('Please enter a name');
    const form = new FormData();
    form.set('name', name.trim());
    if (image) form.set('image', image);
    setSaving(true);
    setProblem('');
    const error = await onSave(form);
    setSaving(false);
    if (!error) return;
    const { name: ofName } = fieldErrors(error);
    if (ofName) rejectName(ofName);
    else setProblem(errorMessage(error));
  };

  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="md" maw={420}>
        <TextInput
          label="Name"
          placeholder="Garden tools"
          maxLength={60}
          withAsterisk
          value={name}
          ref={nameField}
          error={nameProblem}
          onChange={(event) => {
            setName(event.currentTarget.value);
            setNameProblem('');
          }}
        />
        <ImageField
          label="Image"
          value={image}
          current={category && hasImage(category.image) ? category.image : null}
          onChange={setImage}
        />
        {problem && (
          <Text c="var(--mantine-color-error)" role="alert">
            {problem}
          </Text>
        )}
        <Button type="submit" loading={saving} style={{ alignSelf: 'flex-start' }}>
          {submitLabel}
        </Button>
      </Stack>
    </form>
  );
}
