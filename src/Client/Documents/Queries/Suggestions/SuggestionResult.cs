namespace Raven.Client.Documents.Queries.Suggestions;

/// <summary>Words of a field that are similar to a given one.</summary>
public sealed class SuggestionResult
{
    /// <summary>The field, or the name that was given.</summary>
    public string Name { get; init => field = value ?? ""; } = "";

    /// <summary>The suggested words, in the requested order.</summary>
    public List<string> Suggestions { get; init => field = value ?? []; } = [];
}
