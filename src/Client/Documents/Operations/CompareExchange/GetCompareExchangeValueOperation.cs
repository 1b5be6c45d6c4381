using System.Text.Json;
using Raven.Client.Documents.Commands;
using Raven.Client.Documents.Conventions;
using Raven.Client.Http;

namespace Raven.Client.Documents.Operations.CompareExchange;

/// <summary>Reads a compare-exchange value; null if there is none.</summary>
/// <param name="key">Its key.</param>
public sealed class GetCompareExchangeValueOperation<T>(string key) : IOperation<CompareExchangeValue<T>>
{
    /// <inheritdoc/>
    public RavenCommand<CompareExchangeValue<T>> GetCommand(DocumentConventions conventions)
    {
        var inner = new GetCompareExchangeCommand { Keys = [key] };
        return new SimpleCommand<CompareExchangeValue<T>>(
            inner.CreateRequest,
            response => inner.ReadResponse(response) is [JsonElement value, ..]
                ? CompareExchangeCommand.ParseValue<T>(value, conventions)
                : null,
            isRead: true);
    }
}
