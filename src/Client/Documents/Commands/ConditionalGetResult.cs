using System.Text.Json;

namespace Raven.Client.Documents.Commands;

/// <summary>A document that has changed, or the news that it has not.</summary>
internal sealed record ConditionalGetResult(JsonElement? Document, bool IsUnchanged);
