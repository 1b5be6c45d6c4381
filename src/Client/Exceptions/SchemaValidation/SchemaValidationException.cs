namespace Raven.Client.Exceptions.SchemaValidation;

/// <summary>A document breaks the schema of its collection; the message says where. Nothing of the batch was written.
/// </summary>
public sealed class SchemaValidationException(string message) : RavenException(message);
