using Raven.Client.Documents.Commands;
using Raven.Client.Documents.Conventions;
using Raven.Client.Http;

namespace Raven.Client.Documents.Operations.CompareExchange;

/// <summary>Sets a compare-exchange value if its index is the expected one.</summary>
/// <param name="key">Its key.</param>
/// <param name="value">The value.</param>
/// <param name="index">The index that it must have; 0 if it must not exist.</param>
public sealed class PutCompareExchangeValueOperation<T>(string key, T value, long index)
    : IOperation<CompareExchangeResult<T>>
{
    /// <inheritdoc/>
    public RavenCommand<CompareExchangeResult<T>> GetCommand(DocumentConventions conventions) =>
        CompareExchangeResults.Command<T>(
            new CompareExchangeCommand(conventions, key, index, value, isDelete: false), conventions);
}
