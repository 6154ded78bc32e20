import * as paths from '@lendtools/contracts/pages';
import { useSearchParams } from 'react-router-dom';
import { useUser } from '../../api/session-slice.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { DeleteAccount } from './delete-account.tsx';
import { DownloadData } from './download-data.tsx';

export default function MyDataPage() {
  const userId = useUser()?.id;
  const [params] = useSearchParams();
  return (
    <>
      <PageHeader title="Your data" back={{ to: paths.profile, label: 'Settings' }} />
      {userId && <DownloadData userId={userId} exportId={params.get('export')} />}
      {userId && <DeleteAccount userId={userId} />}
    </>
  );
}
