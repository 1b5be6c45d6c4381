using Raven.Client.Documents.Conventions;
using Raven.Client.Http;

namespace Raven.Client.Documents.Operations;

/// <summary>An operation on documents of a database.</summary>
public interface IOperation<TResult>
{
    /// <summary>The command that does it.</summary>
    RavenCommand<TResult> GetCommand(DocumentConventions conventions);
}
