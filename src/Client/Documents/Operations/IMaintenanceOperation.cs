using Raven.Client.Documents.Conventions;
using Raven.Client.Http;

namespace Raven.Client.Documents.Operations;

/// <summary>An operation on a database.</summary>
public interface IMaintenanceOperation<TResult>
{
    /// <summary>Makes the command that sends the operation.</summary>
    RavenCommand<TResult> GetCommand(DocumentConventions conventions);
}
