import { combineReducers, configureStore } from '@reduxjs/toolkit';
import {
  FLUSH,
  PAUSE,
  PERSIST,
  PURGE,
  persistReducer,
  persistStore,
  REGISTER,
  REHYDRATE,
} from 'redux-persist';
import { baseApi } from '../api/base-api.ts';
import { sessionReducer } from '../api/session-slice.ts';
import { unsentMessagesReducer } from '../features/bookings/unsent-messages-slice.ts';
import { type CartState, cartReducer } from '../features/cart/cart-slice.ts';
import { checkoutReducer } from '../features/cart/checkout-slice.ts';
import { noticeReducer } from '../features/notices/notice-slice.ts';
import { persistPrefix } from '../lib/kept.ts';
import { exitReducer } from './exit-slice.ts';
import { persistStorage } from './persist-storage.ts';

const reducer = combineReducers({
  session: sessionReducer,
  exit: exitReducer,
  cart: cartReducer,
  checkout: checkoutReducer,
  notification: noticeReducer,
  unsentMessages: unsentMessagesReducer,
  [baseApi.reducerPath]: baseApi.reducer,
});

const persistConfig = {
  key: 'state',
  keyPrefix: persistPrefix,
  version: 1,
  timeout: 5000,
  storage: persistStorage,
  whitelist: ['session', 'cart', 'checkout'],
};

const persistActions = [FLUSH, REHYDRATE, PAUSE, PERSIST, PURGE, REGISTER];

function createStore() {
  return configureStore({
    reducer: persistReducer(persistConfig, reducer),
    middleware: (defaults) =>
      defaults({ serializableCheck: { ignoredActions: persistActions } }).concat(
        baseApi.middleware,
      ),
  });
}

export type AppStore = ReturnType<typeof createStore>;

export function readStoredCart(stored: string): CartState | null {
  try {
    return JSON.parse(JSON.parse(stored).cart) as CartState;
  } catch {
    return null;
  }
}

/** Creates a store with the persisted state loaded, so that no page flickers from visitor to user. */
export async function openStore(): Promise<AppStore> {
  const store = createStore();
  const persistor = persistStore(store);
  await new Promise<void>((resolve) => {
    const check = () => persistor.getState().bootstrapped && resolve();
    persistor.subscribe(check);
    check();
  });
  return store;
}
