using Raven.Client.Documents.Commands;
using Raven.Client.Documents.Conventions;
using Raven.Client.Http;

namespace Raven.Client.Documents.Operations.CompareExchange;

/// <summary>Reads the compare-exchange values whose keys begin with a prefix, by key.</summary>
/// <param name="startsWith">The prefix.</param>
/// <param name="start">How many to skip.</param>
/// <param name="pageSize">The most to read.</param>
public sealed class GetCompareExchangeValuesOperation<T>(string startsWith, int start = 0, int pageSize = 25)
    : IOperation<Dictionary<string, CompareExchangeValue<T>>>
{
    /// <inheritdoc/>
    public RavenCommand<Dictionary<string, CompareExchangeValue<T>>> GetCommand(DocumentConventions conventions)
    {
        var inner = new GetCompareExchangeCommand { StartsWith = startsWith, Start = start, PageSize = pageSize };
        return new SimpleCommand<Dictionary<string, CompareExchangeValue<T>>>(
            inner.CreateRequest,
            response => inner.ReadResponse(response)
                .Select(value => CompareExchangeCommand.ParseValue<T>(value, conventions)!)
                .ToDictionary(value => value.Key),
            isRead: true);
    }
}
