using System.Text.Json;
using Raven.Client.Documents.Commands;
using Raven.Client.Documents.Commands.Batches;
using Raven.Client.Documents.Operations.CompareExchange;

namespace Raven.Client.Documents.Session;

/// <summary>The cluster-wide calls of one session, asynchronous and blocking.</summary>
internal sealed class ClusterTransactionOperations(AsyncDocumentSession session)
    : IAsyncClusterTransactionOperations, IClusterTransactionOperations
{
    public async Task<CompareExchangeValue<T>?> GetCompareExchangeValueAsync<T>(
        string key, CancellationToken cancellationToken = default)
    {
        if (session.CompareExchange.TryGetValue(key, out JsonElement included))
        {
            return CompareExchangeCommand.ParseValue<T>(included, session.Conventions);
        }

        List<JsonElement>? read = await session.ExecuteAsync(
            new GetCompareExchangeCommand { Keys = [key] }, cancellationToken).ConfigureAwait(false);
        return read is [JsonElement value, ..]
            ? CompareExchangeCommand.ParseValue<T>(value, session.Conventions)
            : null;
    }

    public CompareExchangeValue<T>? GetCompareExchangeValue<T>(string key) =>
        GetCompareExchangeValueAsync<T>(key).GetAwaiter().GetResult();

    public void CreateCompareExchangeValue<T>(string key, T value) => Put(key, 0, value, isDelete: false);

    public void UpdateCompareExchangeValue<T>(CompareExchangeValue<T> value)
    {
        ArgumentNullException.ThrowIfNull(value);
        Put(value.Key, value.Index, value.Value, isDelete: false);
    }

    public void DeleteCompareExchangeValue(string key, long index) => Put(key, index, null, isDelete: true);

    private void Put(string key, long index, object? value, bool isDelete)
    {
        if (session.Mode != TransactionMode.ClusterWide)
        {
            throw new InvalidOperationException(
                "Compare-exchange values are saved by cluster-wide transactions only: open the session with "
                + "SessionOptions { TransactionMode = TransactionMode.ClusterWide }.");
        }

        session.Defer(new CompareExchangeCommandData(key, index, value, isDelete));
        session.CompareExchange.Remove(key);
    }
}
