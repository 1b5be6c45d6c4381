using Raven.Client.Documents.Conventions;
using Raven.Client.Http;

namespace Raven.Client.ServerWide.Operations;

/// <summary>An operation on the server.</summary>
public interface IServerOperation<TResult>
{
    /// <summary>Makes the command that sends the operation.</summary>
    RavenCommand<TResult> GetCommand(DocumentConventions conventions);
}
