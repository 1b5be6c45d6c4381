namespace Raven.Client.Documents.Indexes;

/// <summary>Whether an index keeps the values of a field, to give them back without the document.</summary>
public enum FieldStorage
{
    /// <summary>It does not.</summary>
    No,

    /// <summary>It does.</summary>
    Yes,
}
