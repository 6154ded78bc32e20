import type { Tool } from '@lendtools/contracts';
import {
  Alert,
  Anchor,
  Button,
  NumberInput,
  Select,
  SimpleGrid,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { useCategoriesQuery } from '../../api/categories-api.ts';
import { errorMessage, fieldErrors } from '../../api/error-message.ts';
import { isAdmin, useUser } from '../../api/session-slice.ts';
import { hasImage } from '../../lib/images.ts';
import { ImageField } from '../../ui/image-field.tsx';
import { MoneyField } from '../../ui/money-field.tsx';
import classes from './my-tools.module.css';
import {
  type ImageFieldName,
  imageFields,
  rules,
  type ToolValues,
  toFormData,
  toValues,
} from './tool-form-values.ts';

type Form = UseFormReturnType<ToolValues>;

const labels: Record<ImageFieldName, string> = {
  cover_image: 'Cover image',
  image1: 'Image 1',
  image2: 'Image 2',
  image3: 'Image 3',
  image4: 'Image 4',
};

function Pictures({ form, tool }: { form: Form; tool: Tool | null }) {
  const { images, removed } = form.values;
  return (
    <div className={classes.pictures}>
      {imageFields.map((field) => {
        const stored = tool?.[field];
        const shown = hasImage(stored) && !removed.includes(field) ? stored : null;
        return (
          <ImageField
            key={field}
            label={labels[field]}
            value={images[field]}
            current={shown}
            onChange={(file) => form.setFieldValue('images', { ...images, [field]: file })}
            onRemoveCurrent={() => form.setFieldValue('removed', [...removed, field])}
            error={form.errors[field]?.toString()}
          />
        );
      })}
    </div>
  );
}

/** A new marketplace has no categories, and only an admin can change that. */
function NoCategories() {
  const admin = isAdmin(useUser());
  return (
    <Alert color="orange" role="status" title="There are no categories yet">
      {admin ? 'Every tool needs one. ' : 'Every tool needs one, and an admin adds them. '}
      {admin ? (
        <Anchor component={Link} to="/admin/add-rental-category" inherit>
          Add the first category
        </Anchor>
      ) : (
        'Please come back a little later.'
      )}
    </Alert>
  );
}

function Facts({ form }: { form: Form }) {
  const { data: categories, error } = useCategoriesQuery();
  return (
    <>
      {categories?.length === 0 && <NoCategories />}
      <TextInput
        label="Name"
        placeholder="Cordless drill, 18 V"
        maxLength={120}
        withAsterisk
        {...form.getInputProps('name')}
      />
      <Textarea
        label="Description"
        placeholder="What it is good for, its condition, and what comes with it."
        maxLength={4000}
        autosize
        minRows={4}
        withAsterisk
        {...form.getInputProps('description')}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
        <Select
          label="Category"
          placeholder="--select--"
          data={categories?.map(({ id, name }) => ({ value: id, label: name })) ?? []}
          searchable
          withAsterisk
          nothingFoundMessage="No such category"
          {...form.getInputProps('categoryId')}
          error={form.errors.categoryId ?? (error ? 'The categories could not be loaded' : null)}
        />
        <Select
          label="Rental circle"
          data={['daily', 'hourly']}
          withAsterisk
          {...form.getInputProps('rental_circle')}
        />
        <MoneyField
          label="Price"
          description={form.values.rental_circle === 'hourly' ? 'For each hour' : 'For each day'}
          withAsterisk
          {...form.getInputProps('price')}
          value={form.values.price}
        />
        <NumberInput
          label="Quantity"
          description="How many you have"
          min={1}
          max={50}
          allowDecimal={false}
          withAsterisk
          {...form.getInputProps('quantity')}
        />
      </SimpleGrid>
    </>
  );
}

interface ToolFormProps {
  /** The tool to change; null for a new one. */
  tool: Tool | null;
  submitLabel: string;
  busyLabel: string;
  /** Answers with what went wrong, or nothing. */
  onSave: (form: FormData) => Promise<unknown>;
}

/** The facts and pictures of a tool, new or known. */
export function ToolForm({ tool, submitLabel, busyLabel, onSave }: ToolFormProps) {
  const form = useForm<ToolValues>({ initialValues: toValues(tool), validate: rules });
  const [failure, setFailure] = useState('');
  const [saving, setSaving] = useState(false);

  const save = async (values: ToolValues) => {
    setSaving(true);
    setFailure('');
    const error = await onSave(toFormData(values));
    setSaving(false);
    if (!error) return;
    setFailure(errorMessage(error));
    form.setErrors(fieldErrors(error));
  };
  const focusFirst = (errors: Form['errors']) =>
    form.getInputNode(Object.keys(errors)[0] ?? '')?.focus();

  return (
    <form
      className={classes.form}
      onSubmit={form.onSubmit((values) => void save(values), focusFirst)}
      noValidate
    >
      <Stack gap="md">
        <Facts form={form} />
        <Pictures form={form} tool={tool} />
        {failure && (
          <Text c="var(--mantine-color-error)" role="alert">
            {failure}
          </Text>
        )}
        <Button type="submit" size="lg" disabled={saving} style={{ alignSelf: 'flex-start' }}>
          {saving ? busyLabel : submitLabel}
        </Button>
      </Stack>
    </form>
  );
}
