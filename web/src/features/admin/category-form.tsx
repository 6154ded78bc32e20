import type { Category } from '@lendtools/contracts';
import { Button, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { errorMessage } from '../../api/error-message.ts';
import { hasImage } from '../../lib/images.ts';
import { ImageField } from '../../ui/image-field.tsx';

interface CategoryFormProps {
  category: Category | null;
  submitLabel: string;
  /** Answers with what went wrong, or nothing. */
  onSave: (form: FormData) => Promise<unknown>;
}

export function CategoryForm({ category, submitLabel, onSave }: CategoryFormProps) {
  const [name, setName] = useState(category?.name ?? '');
  const [image, setImage] = useState<File | null>(null);
  const [problem, setProblem] = useState('');
  const [saving, setSaving] = useState(false);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!name.trim()) return setProblem('Please enter a name');
    const form = new FormData();
    form.set('name', name.trim());
    if (image) form.set('image', image);
    setSaving(true);
    setProblem('');
    const error = await onSave(form);
    setSaving(false);
    if (error) setProblem(errorMessage(error));
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
          onChange={(event) => setName(event.currentTarget.value)}
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
