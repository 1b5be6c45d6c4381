using Raven.Client.Documents.Conventions;
using Raven.Client.Http;

namespace Raven.Client.Documents;

/// <summary>What an executor knows of the store that it belongs to.</summary>
public static class RequestExecutorExtensions
{
    extension(RequestExecutor executor)
    {
        /// <summary>The conventions of the store.</summary>
        public DocumentConventions Conventions => (DocumentConventions)executor.Context.Conventions;
    }
}
