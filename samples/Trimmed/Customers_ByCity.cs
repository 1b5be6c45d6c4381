using System.Diagnostics.CodeAnalysis;
using Raven.Client.Documents.Indexes;

namespace Raven.Samples.Trimmed;

/// <summary>An index of customers by the city of their address.</summary>
internal sealed class Customers_ByCity : AbstractIndexCreationTask<Customer>
{
    [UnconditionalSuppressMessage("Trimming", "IL2026:RequiresUnreferencedCode",
        Justification = "The compiler looks for the properties of the object by name: this assembly is kept whole.")]
    public Customers_ByCity() =>
        Map = customers => from customer in customers select new { customer.Name, customer.Address.City };
}
