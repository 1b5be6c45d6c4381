using Raven.Client.Documents.Conventions;
using Raven.Client.Http;

namespace Raven.Client.Documents;

/// <summary>Properties of the store that an executor belongs to.</summary>
public static class RequestExecutorExtensions
{
    extension(RequestExecutor executor)
    {
        /// <summary>The conventions of the store.</summary>
        public DocumentConventions Conventions => (DocumentConventions)executor.Context.Conventions;
    }
}
