import type { Tool } from '@lendtools/contracts';
import * as paths from '@lendtools/contracts/pages';
import {
  Alert,
  Anchor,
  Button,
  NumberInput,
  SimpleGrid,
  Stack,
  Textarea,
  TextInput,
} from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { type FormEvent, type ReactNode, useCallback, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { useCategoriesQuery } from '../../api/categories-api.ts';
import { fieldErrors } from '../../api/error-message.ts';
import { useUser } from '../../api/session-slice.ts';
import { usePermission } from '../../api/use-permission.ts';
import type { PickUp } from '../../rental/pick-up.ts';
import { DraftNotice } from '../../ui/draft-notice.tsx';
import { MoneyField } from '../../ui/fields/money-field.tsx';
import { PickUpField } from '../../ui/fields/pick-up-field.tsx';
import { focusFirstError } from '../../ui/focus-first-error.ts';
import { ListSelect } from '../../ui/list-select.tsx';
import { SaveFailure } from '../../ui/save-failure.tsx';
import { useFormDraft } from '../../ui/use-form-draft.ts';
import { CommissionHint } from './commission-hint.tsx';
import classes from './my-tools.module.css';
import { PriceHint } from './price-hint.tsx';
import { TermsSection } from './terms-section.tsx';
import {
  draftFields,
  rulesFor,
  shortestDescription,
  type ToolValues,
  toFormData,
  toValues,
  withoutLengths,
} from './tool-form-values.ts';
import { ToolPictures } from './tool-pictures.tsx';
import { ToolPreview } from './tool-preview.tsx';

type Form = UseFormReturnType<ToolValues>;
type Circle = Tool['rental_circle'];

function NoCategories() {
  const maySetUp = usePermission('administer');
  return (
    <Alert color="orange" role="status" title="There are no categories yet">
      {maySetUp ? 'Every tool needs one. ' : 'Every tool needs one, and an admin adds them. '}
      {maySetUp ? (
        <Anchor component={Link} to={paths.addCategory} inherit>
          Add the first category
        </Anchor>
      ) : (
        'Please come back a little later.'
      )}
    </Alert>
  );
}

function Facts({ form, onCircle }: { form: Form; onCircle: (circle: Circle) => void }) {
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
        description={`At least ${shortestDescription} characters`}
        placeholder="What it is good for, its condition, and what comes with it."
        maxLength={4000}
        autosize
        minRows={4}
        withAsterisk
        {...form.getInputProps('description')}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
        <ListSelect
          label="Category"
          placeholder="--select--"
          data={categories?.map(({ id, name }) => ({ value: id, label: name })) ?? []}
          searchable
          withAsterisk
          nothingFoundMessage="No such category"
          {...form.getInputProps('categoryId')}
          error={form.errors.categoryId ?? (error ? 'The categories could not be loaded' : null)}
        />
        <ListSelect
          label="Rental circle"
          data={['daily', 'hourly'] satisfies Circle[]}
          allowDeselect={false}
          withAsterisk
          {...form.getInputProps('rental_circle')}
          onChange={(circle) => circle && onCircle(circle as Circle)}
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
      <PriceHint
        name={form.values.name}
        categoryId={form.values.categoryId}
        circle={form.values.rental_circle}
        pickUp={form.values.pickUp}
        price={form.values.price}
        onPrice={(dollars) => form.setFieldValue('price', dollars)}
      />
      <CommissionHint
        price={form.values.price}
        per={form.values.rental_circle === 'hourly' ? 'hour' : 'day'}
      />
    </>
  );
}

interface ToolFormProps {
  /** The tool to edit; null for a new one. */
  tool: Tool | null;
  /** The fields of the owner's address, if it is missing, which must be valid too. */
  address?: { fields: ReactNode; isValid: () => boolean };
  submitLabel: string;
  busyLabel: string;
  /** Resolves to the error, or to undefined on success. Must call `onSaved` before navigating away. */
  onSave: (form: FormData, onSaved: () => void) => Promise<unknown>;
  /** Reopens the form with the newest version of the tool. */
  onReload?: () => void;
}

function useToolForm({ tool, address, onSave }: ToolFormProps) {
  const userId = useUser()?.id ?? '';
  const draft = useFormDraft(`tool:${userId}:${tool?.id ?? 'new'}`, toValues(tool), draftFields);
  const form = useForm<ToolValues>({
    initialValues: draft.initial,
    onValuesChange: draft.keep,
    validate: rulesFor(tool),
  });
  const [hasLostLengths, setLostLengths] = useState(false);
  const chooseCircle = (circle: Circle) => {
    if (circle === form.values.rental_circle) return;
    const terms = withoutLengths(form.values.terms);
    if (terms !== form.values.terms) setLostLengths(true);
    form.setValues({ rental_circle: circle, terms });
  };
  const [failure, setFailure] = useState<unknown>();
  const isSaving = useRef(false);
  const [saving, setSaving] = useState(false);

  const save = async (values: ToolValues) => {
    // A ref, because React disables the button too late to block an immediate second press.
    if (isSaving.current) return;
    isSaving.current = true;
    setSaving(true);
    setFailure(undefined);
    const error = await onSave(toFormData(values, tool), draft.discard);
    isSaving.current = false;
    setSaving(false);
    if (!error) return;
    setFailure(error);
    form.setErrors(fieldErrors(error));
  };
  const discard = () => {
    draft.discard();
    form.setValues(toValues(tool));
    form.clearErrors();
    setLostLengths(false);
  };

  const submit = (event: FormEvent<HTMLFormElement>) => {
    const isAddressValid = address?.isValid() ?? true;
    const check = form.onSubmit(
      (values) => {
        if (isAddressValid) void save(values);
      },
      (errors) => focusFirstError(form, errors),
    );
    check(event);
  };
  return { form, draft, submit, discard, chooseCircle, hasLostLengths, failure, saving };
}

export function ToolForm(props: ToolFormProps) {
  const { form, draft, submit, failure, saving, ...actions } = useToolForm(props);
  const { setFieldValue } = form;
  const setPickUp = useCallback(
    (pickUp: PickUp) => setFieldValue('pickUp', pickUp),
    [setFieldValue],
  );
  // The server may report an error in a part of the terms that has no field in this form.
  const [, termsError] =
    Object.entries(form.errors).find(([path]) => path.startsWith('terms')) ?? [];
  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <Stack gap="md">
        {draft.isRestored && (
          <DraftNotice onDiscard={actions.discard}>
            What you entered here before is still here.
            {draft.lacksChosen && ' Please choose your pictures again.'}
          </DraftNotice>
        )}
        <Facts form={form} onCircle={actions.chooseCircle} />
        {props.address?.fields}
        <PickUpField
          value={form.values.pickUp}
          onChange={setPickUp}
          description="Without it, the tool is picked up where your settings say."
          error={(
            form.errors.pickUp ??
            form.errors.pickup_zip ??
            form.errors.pickup_lat
          )?.toString()}
        />
        <ToolPictures form={form} />
        <TermsSection
          value={form.values.terms}
          circle={form.values.rental_circle}
          hasLostLengths={actions.hasLostLengths}
          error={termsError?.toString()}
          onChange={(terms) => setFieldValue('terms', terms)}
        />
      </Stack>
      <ToolPreview tool={props.tool} values={form.values} />
      <Stack gap="md">
        <SaveFailure error={failure} onReload={() => props.onReload?.()} />
        <Button type="submit" size="lg" disabled={saving} style={{ alignSelf: 'flex-start' }}>
          {saving ? props.busyLabel : props.submitLabel}
        </Button>
      </Stack>
    </form>
  );
}
