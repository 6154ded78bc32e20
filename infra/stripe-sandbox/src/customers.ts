import {
  type Customer,
  type Metadata,
  newId,
  nowInSeconds,
  type PaymentMethod,
} from './objects.ts';
import { asParams, asText, findMethod, type Params } from './payment-methods.ts';
import { invalidRequest, requiredParam } from './stripe-error.ts';
import type { Transaction } from './transaction.ts';

export function createCustomer(tx: Transaction, params: Params): Customer {
  const customer = tx.put<Customer>({
    id: newId('cus'),
    object: 'customer',
    created: nowInSeconds(),
    email: asText(params.email),
    livemode: false,
    metadata: asParams(params.metadata) as Metadata,
    name: asText(params.name),
  });
  tx.emit('customer.created', customer);
  return customer;
}

/** Deletes a customer, whose payment methods can't be used again. */
export function deleteCustomer(tx: Transaction, id: string): object {
  const customer = tx.customer(id);
  for (const method of methodsOf(tx, id)) detachMethod(tx, method.id);
  tx.put<Customer>({ ...customer, sandbox_deleted: true });
  tx.emit('customer.deleted', customer);
  return deletedCustomer(id);
}

/** A deleted customer can be shown only as a field of another object. */
export function showCustomer(tx: Transaction, id: string): object {
  return tx.all.customers.get(id)?.sandbox_deleted ? deletedCustomer(id) : tx.customer(id);
}

function deletedCustomer(id: string): object {
  return { id, object: 'customer', deleted: true };
}

export function methodsOf(tx: Transaction, customer: string): PaymentMethod[] {
  tx.customer(customer);
  return [...tx.all.methods.values()].filter((method) => method.customer === customer);
}

export function attachMethod(tx: Transaction, id: string, params: Params): PaymentMethod {
  const customer = asText(params.customer);
  if (!customer) throw requiredParam('customer');
  tx.customer(customer);
  return attach(tx, findMethod(tx, id), customer);
}

export function attach(tx: Transaction, method: PaymentMethod, customer: string): PaymentMethod {
  if (method.customer === customer) return method;
  if (method.customer || method.sandbox_used_by || method.sandbox_detached)
    throw invalidRequest(
      'This PaymentMethod was previously used without being attached to a Customer or was detached from a Customer, and may not be used again.',
      { param: 'payment_method' },
    );
  const attached = tx.put<PaymentMethod>({ ...method, customer });
  tx.emit('payment_method.attached', attached);
  return attached;
}

export function detachMethod(tx: Transaction, id: string): PaymentMethod {
  const method = findMethod(tx, id);
  if (!method.customer)
    throw invalidRequest(
      'The payment method you provided is not attached to a customer so detachment is impossible.',
    );
  const detached = tx.put<PaymentMethod>({ ...method, customer: null, sandbox_detached: true });
  tx.emit('payment_method.detached', detached);
  return detached;
}
