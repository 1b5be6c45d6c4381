namespace Raven.Client.Documents.Queries.Suggestions;

/// <summary>Words of a field that are like a given one.</summary>
public sealed class SuggestionResult
{
    /// <summary>The field, or the name that was given.</summary>
    public string Name { get; init => field = value ?? ""; } = "";

    /// <summary>The words.</summary>
    public List<string> Suggestions { get; init => field = value ?? []; } = [];
}
