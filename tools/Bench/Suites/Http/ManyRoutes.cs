using Microsoft.AspNetCore.Mvc.ApplicationModels;

namespace Raven.Tools.Bench.Suites.Http;

/// <summary>The paths that fill a route table, and the convention that gives them to one action of MVC.</summary>
internal sealed class ManyRoutes(int count) : IApplicationModelConvention
{
    /// <summary>Paths as a database server has them: every second one with a captured name.</summary>
    internal static string PathOf(int number) => number % 2 == 0
        ? $"/databases/{{database}}/feature{number}/list"
        : $"/admin/feature{number}";

    /// <summary>The same for our route table.</summary>
    internal static string OurPathOf(int number) =>
        PathOf(number).Replace("{database}", "*", StringComparison.Ordinal);

    /// <inheritdoc/>
    public void Apply(ApplicationModel application)
    {
        ActionModel action = application.Controllers.SelectMany(controller => controller.Actions)
            .Single(each => each.ActionMethod.Name == nameof(PeerController.GetOtherAsync));
        SelectorModel template = action.Selectors[0];
        for (int number = 0; number < count; number++)
        {
            action.Selectors.Add(new SelectorModel(template)
            {
                AttributeRouteModel = new AttributeRouteModel { Template = PathOf(number) },
            });
        }
    }
}
