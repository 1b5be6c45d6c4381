using System.Text.Json;

namespace Raven.Client.Documents.Commands;

/// <summary>The answer of one of several reads that were sent in one request.</summary>
internal readonly record struct InnerAnswer(int Status, JsonElement Result);
