using System.Text.Json;

namespace Raven.Documents.Operations;

/// <summary>What an operation of one kind says of its progress and of its result.</summary>
public interface IOperationDetail
{
    /// <summary>Writes its members into the object of the progress or of the result. Any thread, at any time.</summary>
    void Write(Utf8JsonWriter json);
}
