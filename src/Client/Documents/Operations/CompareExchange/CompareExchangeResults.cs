using System.Text.Json;
using Raven.Client.Documents.Commands;
using Raven.Client.Documents.Conventions;
using Raven.Client.Http;

namespace Raven.Client.Documents.Operations.CompareExchange;

/// <summary>Reads the outcome of a change of a compare-exchange value.</summary>
internal static class CompareExchangeResults
{
    internal static SimpleCommand<CompareExchangeResult<T>> Command<T>(
        CompareExchangeCommand inner, DocumentConventions conventions) =>
        new(inner.CreateRequest, response => Read<T>(inner.ReadResponse(response), conventions), isRead: false);

    private static CompareExchangeResult<T> Read<T>(JsonElement json, DocumentConventions conventions) => new(
        json.GetProperty("Successful").GetBoolean(), json.GetProperty("Index").GetInt64(),
        json.TryGetProperty("Value", out JsonElement value)
            ? CompareExchangeCommand.ObjectOf<T>(value, conventions)
            : default);
}
