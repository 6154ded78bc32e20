import * as at from '@lendtools/contracts/endpoints';
import { addEndpoints } from '../../api/add-endpoints.ts';

const accountApi = addEndpoints(({ mutation }) => ({
  requestPasswordToken: mutation(at.requestPasswordToken, {
    send: (body: { email: string }) => ({ body }),
  }),
  resetPassword: mutation(at.resetPassword, {
    send: (body: { token: string; newPassword: string; userId?: string }) => ({ body }),
  }),
  undoEmailChange: mutation(at.undoEmailChange, {
    send: (body: { token: string }) => ({ body }),
    invalidatesTags: ['User'],
  }),
  appealDecision: mutation(at.appealDecision, {
    send: (body: { token: string; text: string }) => ({ body }),
    invalidatesTags: ['Report'],
  }),
  confirmEmail: mutation(at.confirmEmail, {
    send: (body: { token: string }) => ({ body }),
    invalidatesTags: ['User'],
  }),
  unsubscribe: mutation(at.unsubscribe, {
    send: (token: string) => ({ query: { token } }),
    invalidatesTags: ['Preferences'],
  }),
}));

export const {
  useRequestPasswordTokenMutation,
  useResetPasswordMutation,
  useConfirmEmailMutation,
  useUndoEmailChangeMutation,
  useAppealDecisionMutation,
  useUnsubscribeMutation,
} = accountApi;
