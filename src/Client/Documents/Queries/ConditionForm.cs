namespace Raven.Client.Documents.Queries;

/// <summary>The form of a condition, for calls that modify the last condition.</summary>
internal enum ConditionForm
{
    /// <summary>Any other condition.</summary>
    Plain,

    /// <summary>A field that equals a value: it can be made fuzzy.</summary>
    Equal,

    /// <summary>A search for words: it can require that they are near each other.</summary>
    Search,
}
