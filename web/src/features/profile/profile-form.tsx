import type { User } from '@lendtools/contracts';
import { hasImage } from '@lendtools/contracts/images';
import * as paths from '@lendtools/contracts/pages';
import { isPhone, phoneError } from '@lendtools/contracts/phone';
import { Button, Group, PasswordInput, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { useCallback, useState } from 'react';
import { useDispatch } from 'react-redux';
import { Link } from 'react-router-dom';
import { useUpdateAccountMutation } from '../../api/account-profile-api.ts';
import { fieldErrors } from '../../api/error-message.ts';
import { sessionStarted } from '../../api/session-slice.ts';
import { type PickUp, pickUpRule, toPickUp } from '../../rental/pick-up.ts';
import { DraftNotice } from '../../ui/draft-notice.tsx';
import { ImageField } from '../../ui/fields/image-field.tsx';
import { PickUpField } from '../../ui/fields/pick-up-field.tsx';
import { PlaceFields } from '../../ui/fields/place-fields.tsx';
import { focusFirstError } from '../../ui/focus-first-error.ts';
import { SaveFailure } from '../../ui/save-failure.tsx';
import { toastSuccess } from '../../ui/toast.ts';
import { useFormDraft } from '../../ui/use-form-draft.ts';

const textFields = [
  'user_name',
  'first_name',
  'last_name',
  'email',
  'phone',
  'state',
  'city',
  'address',
] as const;
/** The draft must not contain the password. */
const draftFields = { typed: [...textFields, 'pickUp'], chosen: ['image'] } as const;
type TextField = (typeof textFields)[number];
type Values = Record<TextField | 'password', string> & { image: File | null; pickUp: PickUp };

function required(label: string) {
  return (value: string) => (value.trim() ? null : `Please enter ${label}`);
}

/** An address is whole or absent, and is not removed again. */
function needsAddress({ state, city, address, pickUp }: Values, user: User) {
  return Boolean(user.address || state || city || address.trim() || pickUp.zip || pickUp.point);
}

function addressPart(label: string, user: User) {
  const isGiven = required(label);
  return (part: string, values: Values) => (needsAddress(values, user) ? isGiven(part) : null);
}

function rulesFor(user: User) {
  return {
    user_name: required('a user name'),
    first_name: required('your first name'),
    last_name: required('your last name'),
    email: required('your email'),
    phone: (phone: string) => (isPhone(phone) ? null : phoneError),
    state: addressPart('your state', user),
    city: addressPart('your city', user),
    address: addressPart('your address', user),
    pickUp: pickUpRule,
  };
}

/** The ZIP code is empty if the place came from the browser's location. */
function savedPlace({ zip = '', placeAccuracy }: User) {
  return placeAccuracy === 'area' ? { zip } : null;
}

function toValues(user: User): Values {
  const texts = Object.fromEntries(textFields.map((field) => [field, user[field]]));
  const pickUp = toPickUp(savedPlace(user));
  return { ...(texts as Record<TextField, string>), password: '', image: null, pickUp };
}

/** Sends the place only if it changed; otherwise the server keeps the stored one. */
function setPlace(form: FormData, { zip, point, isKept }: PickUp, user: User): void {
  if (isKept) return;
  if (zip) form.set('zip', zip);
  else if (point) {
    form.set('lat', String(point.lat));
    form.set('lng', String(point.lng));
  } else if (savedPlace(user)) form.set('zip', '');
}

/** Sends changed fields only: other fields may have been changed elsewhere. */
function toFormData(values: Values, user: User): FormData {
  const form = new FormData();
  for (const field of textFields) {
    const text = values[field].trim();
    if (text !== user[field]) form.set(field, text);
  }
  form.set('country', 'United States');
  form.set('userId', user.id);
  setPlace(form, values.pickUp, user);
  if (values.password) form.set('password', values.password);
  if (values.image) form.set('image', values.image);
  return form;
}

function useProfileForm(opened: User) {
  const [user, setUser] = useState(opened);
  const draft = useFormDraft(`profile:${user.id}`, toValues(user), draftFields);
  const form = useForm<Values>({
    initialValues: draft.initial,
    onValuesChange: draft.keep,
    validate: rulesFor(user),
  });
  const [updateAccount, { isLoading }] = useUpdateAccountMutation();
  const [failure, setFailure] = useState<unknown>();
  const dispatch = useDispatch();
  const changesEmail = form.values.email.trim().toLowerCase() !== user.email.toLowerCase();

  const save = async (values: Values) => {
    setFailure(undefined);
    if (changesEmail && !values.password) {
      return form.setFieldError('password', 'Please enter your password to change the email');
    }
    const { data, error } = await updateAccount({
      user,
      form: toFormData(values, user),
    });
    if (!data) {
      setFailure(error);
      return form.setErrors(fieldErrors(error));
    }
    setUser(data.user);
    // Show the stored place: the server drops it if the city changed. Set it before `discard`: setting stores a draft.
    form.setValues({ pickUp: toPickUp(savedPlace(data.user)), image: null });
    draft.discard();
    dispatch(sessionStarted(data.user));
    toastSuccess(data.message);
  };
  const submit = form.onSubmit(
    (values) => void save(values),
    (errors) => focusFirstError(form, errors),
  );
  const discard = () => {
    draft.discard();
    form.setValues(toValues(user));
    form.clearErrors();
  };
  const isAddressNeeded = needsAddress(form.values, user);
  return {
    form,
    changesEmail,
    isAddressNeeded,
    submit,
    isLoading,
    failure,
    discard,
    hasDraft: draft.isRestored,
  };
}

function NameAndContact({ form }: { form: UseFormReturnType<Values> }) {
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
      <TextInput
        label="First name"
        autoComplete="given-name"
        withAsterisk
        {...form.getInputProps('first_name')}
      />
      <TextInput
        label="Last name"
        autoComplete="family-name"
        withAsterisk
        {...form.getInputProps('last_name')}
      />
      <TextInput
        label="Email"
        type="email"
        autoComplete="email"
        withAsterisk
        {...form.getInputProps('email')}
      />
      <TextInput
        label="Phone"
        type="tel"
        autoComplete="tel"
        withAsterisk
        {...form.getInputProps('phone')}
      />
    </SimpleGrid>
  );
}

/** Keeps the version that the form was opened with, so that the server rejects a stale edit. */
export function ProfileForm({ user, onReload }: { user: User; onReload: () => void }) {
  const { form, changesEmail, isAddressNeeded, submit, isLoading, failure, discard, hasDraft } =
    useProfileForm(user);
  const { values, setFieldValue } = form;
  const setPickUp = useCallback(
    (pickUp: PickUp) => setFieldValue('pickUp', pickUp),
    [setFieldValue],
  );
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md" maw={680}>
        {hasDraft && (
          <DraftNotice onDiscard={discard}>
            What you changed here before is still here, and not saved yet.
          </DraftNotice>
        )}
        <ImageField
          label="Profile image"
          round
          value={values.image}
          current={hasImage(user.image) ? user.image : null}
          onChange={(image) => form.setFieldValue('image', image)}
          error={form.errors.image?.toString()}
        />
        <TextInput
          label="User name"
          autoComplete="username"
          withAsterisk
          {...form.getInputProps('user_name')}
        />
        <NameAndContact form={form} />
        <PlaceFields
          state={values.state}
          city={values.city}
          required={isAddressNeeded}
          onChange={(place) => form.setValues(place)}
          errors={{ state: form.errors.state?.toString(), city: form.errors.city?.toString() }}
        />
        <PickUpField
          value={values.pickUp}
          onChange={setPickUp}
          description="Without it, we only show which city your tools are in."
          error={(form.errors.pickUp ?? form.errors.zip ?? form.errors.lat)?.toString()}
        />
        <TextInput
          label="Address"
          description="Needed to list a tool. Shown only to renters with a paid booking."
          autoComplete="street-address"
          withAsterisk={isAddressNeeded}
          {...form.getInputProps('address')}
        />
        <PasswordInput
          label="Password"
          description="Your current one, needed to change the email. We’ll email you a link to confirm it."
          autoComplete="current-password"
          withAsterisk={changesEmail}
          {...form.getInputProps('password')}
        />
        <SaveFailure error={failure} onReload={onReload} />
        <Group>
          <Button type="submit" loading={isLoading}>
            Update Account
          </Button>
          <Button component={Link} to={paths.changePassword} variant="default">
            Reset Password
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
