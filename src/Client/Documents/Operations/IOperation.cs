using Raven.Client.Documents.Conventions;
using Raven.Client.Http;

namespace Raven.Client.Documents.Operations;

/// <summary>An operation on documents of a database.</summary>
public interface IOperation<TResult>
{
    /// <summary>Makes the command that sends the operation.</summary>
    RavenCommand<TResult> GetCommand(DocumentConventions conventions);
}
