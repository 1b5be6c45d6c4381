namespace Raven.Client.Documents.Session;

/// <summary>
/// The metadata of a document. The server sets the names that begin with <c>@</c>; others can be set, and are saved
/// with the document.
/// </summary>
public interface IMetadataDictionary : IDictionary<string, object?>
{
    /// <summary>True if something was set since the document was read or saved.</summary>
    bool IsDirty { get; }

    /// <summary>The text with a name; null if there is none.</summary>
    string? GetString(string key);

    /// <summary>The number with a name; 0 if there is none.</summary>
    long GetLong(string key);

    /// <summary>The number with a name; 0 if there is none.</summary>
    double GetDouble(string key);

    /// <summary>The boolean with a name; false if there is none.</summary>
    bool GetBoolean(string key);
}
