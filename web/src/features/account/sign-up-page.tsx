import * as paths from '@lendtools/contracts/pages';
import { isPhone, phoneError } from '@lendtools/contracts/phone';
import {
  Anchor,
  Button,
  PasswordInput,
  SimpleGrid,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { isEmail, isNotEmpty, useForm } from '@mantine/form';
import { useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router-dom';
import { errorMessage, fieldErrors } from '../../api/error-message.ts';
import { useCreateAccountMutation, useLoginMutation } from '../../api/login-api.ts';
import { returnAddress } from '../../lib/return-address.ts';
import { ImageField } from '../../ui/fields/image-field.tsx';
import { PlaceFields } from '../../ui/fields/place-fields.tsx';
import { focusFirstError } from '../../ui/focus-first-error.ts';
import { FormError } from '../../ui/form-error.tsx';
import { toastSuccess } from '../../ui/toast.ts';
import { AccountCard } from './account-card.tsx';

const emptyAccount = {
  user_name: '',
  first_name: '',
  last_name: '',
  email: '',
  phone: '',
  country: 'United States',
  state: '',
  city: '',
  address: '',
  password: '',
};
type Account = typeof emptyAccount;

const fieldNames = new Set([...Object.keys(emptyAccount), 'image']);

function toFormData(account: Account, image: File | null): FormData {
  const body = new FormData();
  for (const [name, value] of Object.entries(account)) body.set(name, value);
  if (image) body.set('image', image);
  return body;
}

/** The screens of a purchase, to which a new user returns logged in. The documents lead to the login page. */
const purchaseScreens = [
  paths.tool,
  paths.memberTool,
  paths.bookingSummary,
  paths.memberBookingSummary,
  paths.cart,
  paths.memberCart,
  paths.conversation,
];

function isForPurchase(params: URLSearchParams) {
  const [path] = returnAddress(params, '').split(/[?#]/);
  return purchaseScreens.some((screen) => screen === path);
}

function useSignUp() {
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const [createAccount, creation] = useCreateAccountMutation();
  const [login, session] = useLoginMutation();
  const isLoading = creation.isLoading || session.isLoading;
  const [image, setImage] = useState<File | null>(null);
  const [failure, setFailure] = useState('');
  const form = useForm<Account & { image?: string }>({
    initialValues: emptyAccount,
    validate: {
      user_name: isNotEmpty('Please enter a user name'),
      first_name: isNotEmpty('Please enter your first name'),
      last_name: isNotEmpty('Please enter your last name'),
      email: isEmail('Please enter a valid email'),
      phone: (phone) => (isPhone(phone) ? null : phoneError),
      state: isNotEmpty('Please enter your state'),
      city: isNotEmpty('Please enter your city'),
      address: isNotEmpty('Please enter your address'),
      password: (password) =>
        password.length < 8 ? 'Please choose a password of at least 8 characters' : null,
    },
  });
  const submit = form.onSubmit(
    async (account) => {
      setFailure('');
      const { error } = await createAccount(toFormData(account, image));
      if (error) {
        const errors = fieldErrors(error);
        form.setErrors(errors);
        focusFirstError(form, errors);
        const placed = Object.keys(errors).some((name) => fieldNames.has(name));
        setFailure(placed ? 'Please look at the fields marked in red.' : errorMessage(error));
        return;
      }
      const { email, password } = account;
      if (isForPurchase(params)) {
        const { error: rejected } = await login({ email, password });
        if (!rejected) {
          toastSuccess(`Welcome, ${account.first_name}!`);
          return void navigate(returnAddress(params, paths.dashboard), { replace: true });
        }
      }
      toastSuccess(`Welcome, ${account.first_name}! You can log in now.`);
      void navigate(`${paths.login}${params.size ? `?${params}` : ''}`, { state: { email } });
    },
    (errors) => focusFirstError(form, errors),
  );
  return { form, submit, image, setImage, failure, isLoading };
}

export default function SignUpPage() {
  const { form, submit, image, setImage, failure, isLoading } = useSignUp();
  const [params] = useSearchParams();
  const field = (name: keyof Account) => ({
    ...form.getInputProps(name),
    withAsterisk: true,
  });
  return (
    <AccountCard
      wide
      title="Create An Account"
      intro="One account to rent tools and to lend yours."
      footer={
        <>
          Already have one?{' '}
          <Anchor component={Link} to={`${paths.login}${params.size ? `?${params}` : ''}`} fw={600}>
            Login
          </Anchor>
        </>
      }
    >
      <form noValidate onSubmit={submit}>
        <Stack gap="md">
          <ImageField
            label="Profile image"
            round
            value={image}
            onChange={setImage}
            error={form.errors.image as string | undefined}
          />
          <TextInput {...field('user_name')} label="User name" autoComplete="nickname" />
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
            <TextInput {...field('first_name')} label="First name" autoComplete="given-name" />
            <TextInput {...field('last_name')} label="Last name" autoComplete="family-name" />
            <TextInput {...field('email')} label="Email" type="email" autoComplete="email" />
            <TextInput {...field('phone')} label="Phone" type="tel" autoComplete="tel" />
          </SimpleGrid>
          <PlaceFields
            state={form.values.state}
            city={form.values.city}
            onChange={form.setValues}
            errors={form.errors as { state?: string; city?: string }}
          />
          <Textarea
            {...field('address')}
            label="Address"
            description="Shown only to people who have booked one of your tools."
            autoComplete="street-address"
            autosize
          />
          <PasswordInput
            {...field('password')}
            label="Password"
            description="At least 8 characters. A few words in a row are easy to remember."
            autoComplete="new-password"
          />
          <FormError>{failure}</FormError>
          <Button type="submit" size="lg" disabled={isLoading} aria-busy={isLoading}>
            {isLoading ? '...creating account' : 'Create An Account'}
          </Button>
          <Text size="sm" c="dimmed" ta="center">
            Your email and phone are never shown to other users.
          </Text>
        </Stack>
      </form>
    </AccountCard>
  );
}
