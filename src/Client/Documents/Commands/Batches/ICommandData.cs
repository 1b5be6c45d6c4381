using System.Text.Json;
using Raven.Client.Documents.Conventions;

namespace Raven.Client.Documents.Commands.Batches;

/// <summary>
/// One command of a batch. All commands of a batch are one transaction: all are executed, or none.
/// See <see cref="Session.IAdvancedSessionOperations.Defer"/>.
/// </summary>
public interface ICommandData
{
    /// <summary>The document that it concerns.</summary>
    string Id { get; }

    /// <summary>What it does, as the server names it: PUT, DELETE, PATCH, ...</summary>
    string Type { get; }

    /// <summary>Writes it as one JSON object.</summary>
    void WriteTo(Utf8JsonWriter writer, DocumentConventions conventions);
}
