using Raven.Client.Documents.Commands;
using Raven.Client.Documents.Conventions;
using Raven.Client.Http;

namespace Raven.Client.Documents.Operations.CompareExchange;

/// <summary>Deletes a compare-exchange value if its index is the expected one.</summary>
/// <param name="key">Its key.</param>
/// <param name="index">The index that it must have.</param>
public sealed class DeleteCompareExchangeValueOperation<T>(string key, long index)
    : IOperation<CompareExchangeResult<T>>
{
    /// <inheritdoc/>
    public RavenCommand<CompareExchangeResult<T>> GetCommand(DocumentConventions conventions) =>
        CompareExchangeResults.Command<T>(
            new CompareExchangeCommand(conventions, key, index, null, isDelete: true), conventions);
}
