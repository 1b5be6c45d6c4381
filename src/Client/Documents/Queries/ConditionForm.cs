namespace Raven.Client.Documents.Queries;

/// <summary>The form of a condition, for calls that modify the last condition.</summary>
internal enum ConditionForm
{
    /// <summary>Any.</summary>
    Plain,

    /// <summary>A field that equals a value: can be fuzzy.</summary>
    Equal,

    /// <summary>Words that are searched: can be asked to be near each other.</summary>
    Search,
}
