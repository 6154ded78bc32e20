import { Button, Group, Text } from '@mantine/core';
import { errorMessage } from '../../api/error-message.ts';
import { toastError } from '../../ui/toast.ts';
import { useRenewRecoveryCodesMutation } from './profile-api.ts';

interface RecoveryCodesLeftProps {
  userId: string;
  left: number;
  onCodes: (codes: string[]) => void;
}

export function RecoveryCodesLeft({ userId, left, onCodes }: RecoveryCodesLeftProps) {
  const [renew, { isLoading }] = useRenewRecoveryCodesMutation();
  const renewCodes = async () => {
    const { data, error } = await renew(userId);
    if (data) onCodes(data.recoveryCodes);
    else toastError(errorMessage(error));
  };
  return (
    <Group gap="sm">
      <Text size="sm">Recovery codes left: {left}.</Text>
      <Button variant="default" size="sm" loading={isLoading} onClick={() => void renewCodes()}>
        Get new recovery codes
      </Button>
    </Group>
  );
}
