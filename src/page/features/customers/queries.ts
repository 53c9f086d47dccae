import type { Customer, CustomerEditInput, NewCustomerInput } from '#shared/contract/customers.ts'
import { rowQueries } from '#page/row-queries.ts'

export const {
  listQuery: customersQuery,
  rowQuery: customerQuery,
  createRow: createCustomer,
  saveRow: saveCustomer,
  deleteRow: deleteCustomer,
} = rowQueries<Customer, NewCustomerInput, CustomerEditInput>({
  list: 'customers',
  one: 'customer',
  param: 'customerId',
  calls: {
    list: 'listCustomers',
    get: 'getCustomer',
    create: 'createCustomer',
    save: 'saveCustomer',
    delete: 'deleteCustomer',
  },
  shownIn: ['invoices', 'invoice', 'dashboard'],
})
