import * as paths from '@lendtools/contracts/pages';
import { useUser } from '../../api/session-slice.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { DeleteAccount } from './delete-account.tsx';

export default function MyDataPage() {
  const userId = useUser()?.id;
  return (
    <>
      <PageHeader title="Your data" back={{ to: paths.profile, label: 'Settings' }} />
      {userId && <DeleteAccount userId={userId} />}
    </>
  );
}
